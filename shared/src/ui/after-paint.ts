/** Calls `work` after the next paint: the browser answers a press first, then the page says what came of it. */
export const afterPaint = (work: () => void): void => void requestAnimationFrame(() => setTimeout(work))
