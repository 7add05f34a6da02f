import { numberText } from './number-text.ts'

export interface Progress {
  /** @param part 0 to 1 @param lines done so far */
  show(part: number, lines: number): void
  end(): void
}

const WIDTH = 30
const EVERY_MS = 200

/** A bar on a terminal; elsewhere a line at every tenth part. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  const started = performance.now()
  let shownAt = 0
  let tenth = -1
  let last = ''
  const text = (part: number, lines: number) => {
    const seconds = Math.max(0.001, (performance.now() - started) / 1000)
    const done = Math.round(part * WIDTH)
    const bar = '#'.repeat(done) + '-'.repeat(WIDTH - done)
    const rate = numberText(Math.round(lines / seconds))
    return `[${bar}] ${String(Math.round(part * 100)).padStart(3)} %  ${numberText(lines)} lines  ${rate}/s`
  }
  return {
    show(part, lines) {
      last = text(Math.min(1, part), lines)
      if (stream.isTTY) {
        if (performance.now() - shownAt < EVERY_MS) return
        shownAt = performance.now()
        stream.write(`\r${last}`)
      } else if (Math.floor(part * 10) > tenth) {
        tenth = Math.floor(part * 10)
        stream.write(`${last}\n`)
      }
    },
    end() {
      if (stream.isTTY && last) stream.write(`\r${last}\n`)
    },
  }
}

export const silent: Progress = { show: () => undefined, end: () => undefined }
