import { writeFile } from 'node:fs/promises'
import { MIN_KEY } from '../control/access.ts'
import { controlHandler } from '../control/handler.ts'
import { controlPage } from '../control/page.ts'
import { controlState } from '../control/state.ts'
import { UsageError } from '../rejected.ts'
import { reportSource } from '../reports/report-source.ts'
import { listen } from '../serve/server.ts'
import { currentSite } from '../site/record.ts'
import { wholeNumber } from './arguments.ts'
import type { Verb } from './verb.ts'

interface ControlCommand {
  readonly out?: string
  readonly host: string
  readonly port: number
  readonly reports?: string
}

/** Adds the verb that serves the control page, or writes it as a file. */
export function addControlVerb(program: Verb): void {
  program
    .command('control')
    .description('Serve the control page under the key in CONTROL_KEY, or write what it shows into a file')
    .option('--out <file>', 'write a page that only shows, and ends')
    .option('--port <n>', 'of the server; 0: any free one', wholeNumber, 3100)
    .option('--host <address>', 'that the server listens on', '127.0.0.1')
    .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
    .answers(async ({ target }, { out, host, port, reports }: ControlCommand) => {
      const source = reportSource((await currentSite(target)).config, reports)
      if (out !== undefined) {
        const state = await controlState(target, source)
        await writeFile(out, controlPage(state, null).markup)
        const { number } = state.live
        return { json: { ok: true, file: out, number }, text: `${out} shows composition ${number}.` }
      }
      const key = process.env.CONTROL_KEY ?? ''
      if (key.length < MIN_KEY)
        throw new UsageError(
          `Set CONTROL_KEY to a key of at least ${MIN_KEY} characters, or name a file by --out.`,
        )
      const server = await listen(host, port)
      server.open(controlHandler({ target, key, source }))
      return { text: `Ready on http://${host}:${server.port}/control` }
    })
    .examples(`  $ CONTROL_KEY=… deploy control          for nginx to pass /control to
  $ deploy control --out control.html     a file for any static host: it shows, and changes nothing`)
}
