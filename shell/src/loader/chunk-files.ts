import { FILE_LOADER, type FileLoader } from '@anniversary/shared/contract/file-loader'
import { freshQuery, loadFile } from './load-file.ts'
import { retry } from './retry.ts'

/** Offers the loader to the bundlers' runtimes, for lazy chunks. @param onFailure gets those that cannot be loaded */
export function offerFileLoader(onFailure: (error: unknown, url: string) => void): void {
  const globals: { [FILE_LOADER]?: FileLoader } = globalThis as never

  globals[FILE_LOADER] = async (kind, url, integrity) => {
    const attempt = (query: string) => ({
      run: (signal: AbortSignal) => loadFile(kind, { url, integrity }, { query, signal }),
    })
    try {
      await retry({ attempts: [attempt(''), attempt(freshQuery())] })
    } catch (error) {
      onFailure(error, url)
      throw error
    }
  }
}
