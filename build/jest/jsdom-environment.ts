import { BroadcastChannel } from 'node:worker_threads'
import { TestEnvironment } from 'jest-environment-jsdom'

/** Adds what browsers have and jsdom lacks. */
export default class extends TestEnvironment {
  readonly #channels: BroadcastChannel[] = []

  override async setup(): Promise<void> {
    await super.setup()
    const channels = this.#channels
    /**
     * Unlike a browser's, Node's channel keeps the process alive until it is
     * closed.
     */
    class PageBroadcastChannel extends BroadcastChannel {
      constructor(name: string) {
        super(name)
        this.unref()
        channels.push(this)
      }
    }
    Object.assign(this.global, {
      fetch,
      Request,
      Response,
      Headers,
      TextEncoder,
      TextDecoder,
      BroadcastChannel: PageBroadcastChannel,
      structuredClone,
    })
  }

  override async teardown(): Promise<void> {
    for (const channel of this.#channels) channel.close()
    await super.teardown()
  }
}
