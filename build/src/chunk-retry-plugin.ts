import { type Compiler, RuntimeGlobals, RuntimeModule } from '@rspack/core'

/**
 * Requests a failed lazy chunk once more under a new URL, which no cache and no hanging request can answer; what the
 * cache holds under the old one is replaced. When that fails too, the page gets a `chunk-load-error` event with the
 * URL of the build's first script and the error.
 */
export class ChunkRetryPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('ChunkRetryPlugin', (compilation) => {
      compilation.hooks.additionalTreeRuntimeRequirements.tap('ChunkRetryPlugin', (chunk, requirements) => {
        if (requirements.has(RuntimeGlobals.ensureChunk))
          compilation.addRuntimeModule(chunk, new ChunkRetryRuntimeModule())
      })
    })
  }
}

class ChunkRetryRuntimeModule extends RuntimeModule {
  constructor() {
    super('chunk retry', RuntimeModule.STAGE_TRIGGER)
  }

  override generate(): string {
    const { ensureChunk, getChunkScriptFilename, getChunkCssFilename, publicPath } = RuntimeGlobals
    const fresh = (filename: string) => `
      var named = ${filename};
      if (named) ${filename} = (id) => named(id) + query;`
    return `
      var load = ${ensureChunk}, query = '', own = document.currentScript?.src || ${publicPath};
      (() => {${fresh(getChunkScriptFilename)}})();
      (() => {${fresh(getChunkCssFilename)}})();
      ${ensureChunk} = (id) => load(id).catch(({ type, request }) => {
        if (request && type !== 'timeout') fetch(request, { cache: 'reload' }).catch(() => {});
        query = '?t=' + Date.now();
        return load(id);
      }).catch((error) => {
        dispatchEvent(new CustomEvent('chunk-load-error', { detail: [own, error] }));
        throw error;
      });`
  }
}
