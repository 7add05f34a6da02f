/**
 * Global function by which the bundlers' runtimes (build/src/chunk-loading.ts)
 * ask the shell for a file. Builds of any age call it.
 */
export const FILE_LOADER = 'anniversaryFile'

/**
 * Runs a script or applies a style once, with retries. Rejects when it cannot
 * be loaded.
 * @param url absolute
 */
export type FileLoader = (kind: 'script' | 'style', url: string, integrity: string) => Promise<void>
