import { type ServerProcess, startProcess } from '@anniversary/tools/test/start-process'

/**
 * Develops one remote inside a running site, as `npm run dev -- --site URL` in its folder does.
 * @param command the package's `remote-dev`
 */
export async function startRemoteDev(
  folder: string,
  command: string,
  site: string,
): Promise<{ readonly url: string } & Pick<ServerProcess, 'stop'>> {
  const { ready, stop } = await startProcess(['node', command, '--site', site, '--port', '0'], {
    cwd: folder,
    ready: /from here: (http:\/\/\S+)/,
  })
  return { url: ready[0] ?? '', stop }
}
