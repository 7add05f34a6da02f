import { numberText } from './number-text.ts'

/** Called as an import goes on. @param part 0 to 1 @param lines done so far */
export type Progress = (part: number, lines: number) => void

const WIDTH = 30

/** A bar on a terminal, each drawn over the last; nothing elsewhere. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  let isShown = false
  return (part, lines) => {
    if (!stream.isTTY) return
    if (isShown) stream.moveCursor(0, -1)
    isShown = true
    const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '-')
    stream.write(`[${bar}] ${String(Math.round(part * 100)).padStart(3)} %  ${numberText(lines)} lines\n`)
  }
}
