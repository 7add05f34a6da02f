import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a program that ends with this process. VERBOSE=1 shows its output. */
export function startProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: process.env.VERBOSE ? 'inherit' : 'ignore',
  })
  children.add(child)
  child.once('error', (error) => console.error(`${command}: ${error.message}`))
  child.once('exit', () => children.delete(child))
  return child
}

export async function stopProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
