/** Runs work one at a time, in order. The queue has a limit. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Returns null, without running it, when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.waiting >= this.most) return null
    this.waiting += 1
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return await turn.finally(() => {
      this.waiting -= 1
    })
  }
}
