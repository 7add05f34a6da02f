import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Configuration } from '@rspack/core'

/** Rspack's dev server for one package. Any site may load its files; `/api` goes to a running `npm start`. */
export const devServer = ({ port, dir, hot }: { port: number; dir: string; hot: boolean }) =>
  ({
    port,
    hot,
    historyApiFallback: true,
    headers: { 'access-control-allow-origin': '*' },
    static: existsSync(path.join(dir, 'public')) ? path.join(dir, 'public') : false,
    proxy: [
      { context: ['/api'], target: process.env.API_URL ?? 'http://localhost:3000', changeOrigin: true },
    ],
  }) satisfies Configuration['devServer']
