/** Calls `work` after the next paint, so that a click paints before its result. */
export const afterPaint = (work: () => void): void =>
  void requestAnimationFrame(() => setTimeout(work))
