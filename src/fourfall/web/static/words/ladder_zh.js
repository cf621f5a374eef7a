// Chinese strings of the ladder, loaded with its view.

/** @type {import("./language.js").Words} */
export const words = {
  "ladder.standings": "排名",
  "ladder.help": "等级分以全体选手的平均值为零点，附 95% 置信区间。走势是最近约 100 局内的变化。",
  "ladder.elo": "Elo",
  "ladder.interval": "区间",
  "ladder.interval.between": "{0} 到 {1}",
  "ladder.trend": "走势",
  "ladder.trend.up": "上升：{0}",
  "ladder.trend.down": "下降：{0}",
  "ladder.state.removed": "已移除",
  "ladder.state.suspended": "已停赛",
  "ladder.new": "尚无等级分",
  "ladder.none": "还没有选手。请用命令“fourfall ladder add 地址”注册选手。",
  "ladder.line": "用曲线显示 {0} 的等级分",
  "ladder.chart": "等级分变化",
  "ladder.chart.label": "等级分变化；用方向键选择时刻",
  "ladder.chart.help": "在表中点选手的名字可选择曲线。较早的等级分已平移，因此新选手加入时其他曲线不会跳动。",
  "ladder.chart.none": "下完前两对对局后，这里会显示图表。",
  "ladder.chart.games": "局数",
  "ladder.chart.point": "{0} 局之后，{1}",
  "ladder.suspended": "停赛的选手",
  "ladder.suspended.help":
    "屡次因故障输棋的选手不再参加配对。“fourfall ladder resume 名字”可恢复参赛；“fourfall ladder show”会给出重现故障的命令。",
  "ladder.suspended.all": "最近 {0} 局全部因故障告负",
  "ladder.suspended.some": "最近 {1} 局中有 {0} 局因故障告负",
  "ladder.suspended.game": "查看最后一局",
};
