import type { Compilation, Compiler, RspackPluginInstance } from '@rspack/core'

/** A plugin that changes the files of a build, at one of `Compilation.PROCESS_ASSETS_STAGE_…`. */
export const atStage = (
  name: string,
  stage: number,
  work: (compilation: Compilation) => void | Promise<void>,
): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      compilation.hooks.processAssets.tapPromise({ name, stage }, async () => work(compilation))
    })
  },
})
