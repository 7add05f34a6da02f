import pLimit from 'p-limit'
import { rejected } from '../rejected.ts'

/** Calls that run or wait for the browser: a waiting call holds its builds in memory. */
const MOST_CALLS = 8
const MOST_CALLS_OF_CALLER = 2

/** Starts the browsers of a deploy server's calls one after the other, since each takes a few hundred megabytes. */
class BrowserQueue {
  private readonly takeTurn = pLimit(1)
  private readonly callers: string[] = []

  /** @throws Rejected when too many calls wait */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const all = this.callers.length
    const own = this.callers.filter((one) => one === caller).length
    if (all >= MOST_CALLS || own >= MOST_CALLS_OF_CALLER) {
      const found = `too many calls wait for its browser: ${all}, ${own} of them by ${caller}`
      throw rejected('smoke', 'the deploy server', found, 'Try again in a minute')
    }

    this.callers.push(caller)
    try {
      return await this.takeTurn(work)
    } finally {
      this.callers.splice(this.callers.indexOf(caller), 1)
    }
  }
}

export const browserQueue = new BrowserQueue()
