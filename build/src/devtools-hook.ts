/*
 * Development only, and before React: React announces its renderer to this hook, and each bundle's refresh runtime takes
 * it from `renderers`. The hook that a refresh runtime brings itself keeps none, so a remote's, which arrives after
 * React, would refresh nothing. The browser's React DevTools bring a hook that does.
 */
// Unknown to the DOM's types.
const page = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: unknown }
const renderers = new Map<number, unknown>()
page.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= {
  renderers,
  supportsFiber: true,
  inject: (renderer: unknown) => renderers.set(renderers.size + 1, renderer).size,
  onScheduleFiberRoot() {},
  onCommitFiberRoot() {},
  onCommitFiberUnmount() {},
}
