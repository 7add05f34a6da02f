/** A click then paints before its result. */
export const afterPaint = (work: () => void): void =>
  void requestAnimationFrame(() => setTimeout(work))
