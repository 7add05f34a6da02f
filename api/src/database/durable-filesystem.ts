import { fsyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What we use of the Emscripten module: its Node file system's stream operations. */
interface EmscriptenNodeFiles {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd: number | null }) => number; counted?: true }
  }
}

let syncs = 0
/** How many times the database asked for a sync in this process; for the test that guards this hook. */
export const syncCount = (): number => syncs

/**
 * PGlite's Node file system with a real fsync. Upstream's never syncs (electric-sql/pglite#1107): after a power cut
 * every acknowledged claim was lost. Emscripten's fd_sync calls `stream_ops.fsync` where there is one and reports
 * success where there is none, so adding it is all that is needed. This uses internals: the version is pinned.
 */
export class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const prepared = await super.init(...args)
    const preRun = prepared.emscriptenOpts.preRun ?? []
    const steps = Array.isArray(preRun) ? preRun : [preRun]
    return {
      emscriptenOpts: {
        ...prepared.emscriptenOpts,
        preRun: [
          ...steps,
          (module) => {
            // The module's type does not list NODEFS; `NodeFS` itself mounts it.
            const { stream_ops } = (module as unknown as EmscriptenNodeFiles).NODEFS
            stream_ops.fsync = ({ nfd }) => {
              if (nfd !== null) fsyncSync(nfd)
              syncs++
              return 0
            }
          },
        ],
      },
    }
  }
}

/** PGlite's default parameters without `-F`, which turns fsync off, and with a sync method that wasm has. */
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]
