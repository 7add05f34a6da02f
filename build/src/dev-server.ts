import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Configuration } from '@rspack/core'

/** Rspack's dev server for a remote alone in its harness; `/api` goes to a running `npm start` or `npm run dev`. */
export const devServer = ({ port, dir }: { port: number; dir: string }) =>
  ({
    port,
    hot: true,
    historyApiFallback: true,
    static: existsSync(path.join(dir, 'public')) ? path.join(dir, 'public') : false,
    proxy: [
      { context: ['/api'], target: process.env.API_URL ?? 'http://localhost:3000', changeOrigin: true },
    ],
  }) satisfies Configuration['devServer']
