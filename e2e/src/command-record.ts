import { execFile } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** Milliseconds after which a command hangs. */
const PATIENCE = 180_000
/** Lines of an output that a record keeps: from its beginning, and of what has come of it. */
const FIRST = 2
const LAST = 6

/**
 * Runs commands as a person types them, and records what they printed and how long they took.
 * @param here what this machine has in place of the written names, by these: folders, addresses
 */
export function recordCommands(env: NodeJS.ProcessEnv, here: Readonly<Record<string, string>>) {
  const entries: string[] = []

  /** The command with this machine's names. */
  const resolve = (command: string): string =>
    Object.entries(here).reduce((text, [name, own]) => text.replaceAll(name, own), command)

  /** @returns the output without colours */
  function add(command: string, output: string, milliseconds: number): string {
    const plain = stripVTControlCharacters(output)
    const written = Object.entries(here).reduce((text, [name, own]) => text.replaceAll(own, name), plain)
    const lines = written.split('\n').filter((line) => line.trim() !== '' && !/^(>|npm )/.test(line))
    if (lines.length > FIRST + LAST) lines.splice(FIRST, lines.length - FIRST - LAST, '…')
    entries.push([`$ ${command}   # ${(milliseconds / 1000).toFixed(1)} s`, ...lines].join('\n'))
    return plain
  }

  /** Resolves when it has ended, also by an error. */
  async function run(command: string, cwd: string): Promise<{ code: number; output: string }> {
    const began = Date.now()
    return await new Promise((done) => {
      const merged = `(${resolve(command)}) 2>&1`
      const child = execFile('sh', ['-c', merged], { cwd, env, timeout: PATIENCE }, (_error, output) =>
        done({ code: child.exitCode ?? -1, output: add(command, output, Date.now() - began) }),
      )
    })
  }

  return { resolve, add, run, text: () => entries.join('\n\n') }
}
