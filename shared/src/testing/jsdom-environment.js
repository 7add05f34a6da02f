import { TestEnvironment } from 'jest-environment-jsdom'

/** jsdom lacks fetch and its classes, which the router's data APIs need: Node lends its own. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup()
    Object.assign(this.global, {
      fetch,
      Request,
      Response,
      Headers,
      TextEncoder,
      TextDecoder,
      BroadcastChannel,
      structuredClone,
    })
  }
}
