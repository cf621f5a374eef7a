// A response that is not JSON.

export class FileResponse {
  /**
   * @param {string | Uint8Array} content
   * @param {string} type media type
   */
  constructor(content, type) {
    this.content = content;
    this.type = type;
  }
}
