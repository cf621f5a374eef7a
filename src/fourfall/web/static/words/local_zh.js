// Chinese strings of the page without a server.

/** @import { Words } from "./language.js" */

/** @type {Words} */
export const words = {
  "local.loading": "正在加载引擎：{0}%",
  "local.no_simd": "此浏览器或处理器不支持 WebAssembly SIMD，引擎可以使用，但速度较慢。",
  "local.storage_denied": "浏览器不允许存储数据：可以下棋，但刷新页面后对局不会保留。",
  "local.storage_full": "浏览器的存储空间已满：可以下棋，但刷新页面后新的对局不会保留。",
  "local.failed.worker": "引擎无法在此浏览器中启动：它需要模块 Worker。请使用新版浏览器。",
  "local.failed.wasm": "引擎无法在此浏览器中启动：它需要 WebAssembly。请使用新版浏览器，并在设置中允许 WebAssembly。",
  "local.failed.download": "引擎下载失败。请检查网络连接，然后刷新页面。",
  "local.new_version": "页面有新版本可用。",
  "local.reload": "刷新",
  "local.close": "关闭此提示",
  "page.offline": "页面的这一部分无法加载，请检查网络连接。",
};
