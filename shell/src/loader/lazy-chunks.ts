import { freshQuery, isInserted, loadFile, replaceInCache } from './load-file.ts'
import { retry } from './retry.ts'

type ChunkElement = HTMLScriptElement | HTMLLinkElement

/** Requests failed or late lazy chunks of the bundlers' runtimes again. @param onFailure gets those that cannot be loaded */
export function watchLazyChunks(onFailure: (error: unknown, url: string) => void): void {
  const waiting = new Map<EventTarget | null, (event: Event) => void>()
  const urlOf = (element: ChunkElement) => ('src' in element ? element.src : element.href)

  const watch = async (element: ChunkElement) => {
    const kind = 'src' in element ? 'script' : 'style'
    const file = { url: urlOf(element), integrity: element.integrity }
    let end: 'load' | 'error' | undefined = 'load'
    const first = new Promise<void>((resolve, reject) => {
      waiting.set(element, (event) => {
        if (event.type === 'load') {
          end = undefined
          return resolve()
        }
        // The runtime would give the chunk up.
        event.stopImmediatePropagation()
        reject(event)
      })
    })
    try {
      await retry({
        attempts: [
          {
            run: () => first,
            onFailure(error) {
              // A late one may still load.
              if (error instanceof Event) replaceInCache(file.url)
            },
          },
          { run: (signal) => loadFile(kind, file, { query: freshQuery(), signal }) },
        ],
      })
    } catch (error) {
      end = 'error'
      onFailure(error, file.url)
    }
    waiting.delete(element)
    if (end) element.dispatchEvent(new Event(end))
  }

  const settle = (event: Event) => waiting.get(event.target)?.(event)
  // In the capture phase, before the runtime's own handlers. No element's `load` reaches the window.
  for (const type of ['load', 'error']) document.addEventListener(type, settle, true)
  new MutationObserver((records) => {
    for (const element of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (isChunk(element) && !isInserted(element)) void watch(element)
  }).observe(document.head, { childList: true })
}

const isChunk = (element: Node): element is ChunkElement =>
  (element instanceof HTMLScriptElement && element.src !== '' && element.integrity !== '') ||
  (element instanceof HTMLLinkElement && element.rel === 'stylesheet' && element.integrity !== '')
