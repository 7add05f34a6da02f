import type { Compilation, Compiler, RspackPluginInstance } from '@rspack/core'

export const atCompilationStage = (
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
