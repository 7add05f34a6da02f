import { BroadcastChannel } from 'node:worker_threads'
import { TestEnvironment } from 'jest-environment-jsdom'

/** jsdom with what browsers and Node have and it lacks. */
export default class extends TestEnvironment {
  readonly #channels: BroadcastChannel[] = []

  override async setup(): Promise<void> {
    await super.setup()
    const channels = this.#channels
    /** Node's class keeps the process alive until the channel is closed; a browser's does not. */
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

  /** A page that is gone hears no other. */
  override async teardown(): Promise<void> {
    for (const channel of this.#channels) channel.close()
    await super.teardown()
  }
}
