import { type Command, Option } from 'commander'
import { smokeTest } from '../checks/smoke-test.ts'
import type { Outcome } from '../site/change.ts'
import { openHistory } from '../site/history.ts'
import { newKey } from '../site/keys.ts'
import { currentSite, requireSite } from '../site/record.ts'
import { configure } from '../verbs/configure.ts'
import { revokeKey, setOwner } from '../verbs/owners.ts'
import { PRUNE_DAYS, prune } from '../verbs/prune.ts'
import { type PublishOptions, publish } from '../verbs/publish.ts'
import { removeRemote } from '../verbs/remove.ts'
import { rollback } from '../verbs/rollback.ts'
import { switchRemote } from '../verbs/switch.ts'
import { examples, settings, wholeNumber } from './arguments.ts'
import { type Context, contextOf } from './context.ts'
import { findBuilds } from './find-builds.ts'
import { printJson, printOutcome, printOwners, say } from './print.ts'

/** Adds a verb that changes the site. */
export const changing = (program: Command, name: string): Command =>
  program.command(name).option('--dry-run', 'check everything, change nothing').exitOverride()

/** Adds a verb that takes builds. */
export const bringing = (program: Command, name: string): Command =>
  changing(program, name)
    .addOption(new Option('--force <rule>', 'set a rule aside for once').choices(['size']))
    .option('--no-smoke', 'do not load the site in a browser first')

/** Adds the verbs that change a site; all of them take `--dry-run`. */
export function addChangingVerbs(program: Command): void {
  bringing(program, 'publish [builds...]')
    .description('Put builds live: packages or their output folders; default: the package here')
    .action(async (builds: string[], options: Bringing, command: Command) =>
      report(await contextOf(command), ({ target }) =>
        publish(target, findBuilds(builds), optionsOf(options)),
      ),
    )
    .addHelpText(
      'after',
      examples(`  $ deploy publish                      from the folder of a remote, after its build
  $ deploy publish mf-auth --dry-run    would it be let through?
  $ deploy publish shell mf-auth        a new contract major: shell and remotes together`),
    )

  changing(program, 'rollback [package]')
    .description('Go back: a package to its last good version, or without one the whole site by one step')
    .option('--to <number>', 'to how it was in this composition', wholeNumber)
    .addOption(
      new Option('--from <number>', 'refuse if what is live has changed since this composition')
        .argParser(wholeNumber)
        .conflicts('to'),
    )
    .action(async (name: string | undefined, options: { to?: number; from?: number }, command: Command) =>
      report(await contextOf(command), ({ target }) =>
        rollback(target, { ...(name ? { name } : {}), ...options }),
      ),
    )
    .addHelpText(
      'after',
      examples(`  $ deploy rollback mf-auth             to its last good version; ends a canary first
  $ deploy rollback mf-auth --to 41     to the version that it had in composition 41
  $ deploy rollback                     undo the last change of the site, whoever made it`),
    )

  for (const [verb, status] of [
    ['disable', 'off'],
    ['enable', 'on'],
  ] as const)
    changing(program, `${verb} <remote>`)
      .description(verb === 'disable' ? 'Switch a remote off; all else goes on' : 'Switch a remote on again')
      .action(async (name: string, _options, command: Command) =>
        report(await contextOf(command), ({ target }) => switchRemote(target, name, status)),
      )

  changing(program, 'remove <remote>')
    .description('Take a remote and its routes out of the site; switch it off first')
    .action(async (name: string, _options, command: Command) =>
      report(await contextOf(command), ({ target }) => removeRemote(target, name)),
    )

  changing(program, 'config [settings...]')
    .description(
      'Show the public configuration, or change it: shareHost=facebook.com, eventUrl= (back to the default)',
    )
    .action(async (given: string[], _options, command: Command) => {
      const context = await contextOf(command)
      if (given.length > 0) return await report(context, ({ target }) => configure(target, settings(given)))
      const { config } = await currentSite(context.target)
      if (context.json) printJson(config)
      else for (const [name, value] of Object.entries(config)) say(`${name}=${value}`)
    })

  changing(program, 'owners [package] [keys...]')
    .description(
      'List whose keys sign changes of which package, or set the keys of one; `site` signs for all',
    )
    .option('--new-key <file>', 'write a new private key there, and print its public key')
    .option('--revoke <key>', 'take a key away from all that have it')
    .action(async (name: string | undefined, keys: string[], options: Owning, command: Command) => {
      if (options.newKey) return say(await newKey(options.newKey))
      const context = await contextOf(command)
      if (options.revoke)
        return await report(context, ({ target }) => revokeKey(target, options.revoke ?? ''))
      if (name) return await report(context, ({ target }) => setOwner(target, name, keys))
      const { newest, root } = await openHistory(context.target)
      const owners = requireSite(newest).owners ?? {}
      if (context.json) printJson({ root, owners })
      else printOwners(owners, root)
    })
    .addHelpText(
      'after',
      examples(`  $ deploy owners --new-key ~/.ssh/deploy.pem   prints the public key; DEPLOY_KEY names the file
  $ deploy owners site KEY                    the first one: from now on every change must be signed
  $ deploy owners mf-auth KEY KEY             these two keys, and no other team's, change mf-auth
  $ deploy owners --revoke KEY                it was stolen`),
    )

  changing(program, 'prune')
    .description('Remove old compositions, and versions that none of the others use')
    .requiredOption('--keep <n>', 'number of newest compositions that stay, with their versions', wholeNumber)
    .option('--days <n>', 'compositions that were live within so many days stay too', wholeNumber, PRUNE_DAYS)
    .action(async (options: { keep: number; days: number }, command: Command) => {
      const { target, json, dryRun } = await contextOf(command)
      const { removed, records, files, previews, kept } = await prune(target, options)
      if (json) return printJson({ ok: true, dryRun, removed, records, files, previews, kept })
      const done = dryRun ? 'would remove' : 'removed'
      for (const folder of removed) say(`${done} ${folder}`)
      say(
        `${done} ${records} compositions, ${files} shared files and ${previews} expired previews; ${kept.length} versions stay.`,
      )
    })
}

/** Does the work and prints its outcome. */
export async function report(context: Context, work: (context: Context) => Promise<Outcome>): Promise<void> {
  const began = Date.now()
  printOutcome(context, await work(context), Date.now() - began)
}

export interface Bringing {
  readonly force?: 'size'
  readonly smoke: boolean
}

interface Owning {
  readonly newKey?: string
  readonly revoke?: string
}

export const optionsOf = ({ force, smoke }: Bringing): PublishOptions => ({
  anySize: force === 'size',
  ...(smoke ? { smoke: smokeTest } : {}),
})
