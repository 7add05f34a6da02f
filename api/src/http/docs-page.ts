import type { FastifyInstance } from 'fastify'

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Record<string, unknown>[]
  readonly parameters?: readonly { name: string; in: string; required?: boolean }[]
  readonly requestBody?: { content?: Record<string, { schema?: unknown }> }
  readonly responses?: Record<
    string,
    { description?: string; content?: Record<string, { schema?: unknown }> }
  >
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const schemaBlock = (title: string, content: Record<string, { schema?: unknown }> | undefined): string =>
  Object.entries(content ?? {})
    .map(
      ([type, { schema }]) =>
        `<details><summary>${escaped(title)} <code>${escaped(type)}</code></summary>` +
        `<pre tabindex="0">${escaped(JSON.stringify(schema, null, 2))}</pre></details>`,
    )
    .join('')

function operationSection(method: string, path: string, operation: Operation): string {
  const security = (operation.security ?? [])
    .map((option) => Object.keys(option)[0] ?? 'nothing')
    .join(' or ')
  const parameters = (operation.parameters ?? [])
    .map(
      (p) => `<li><code>${escaped(p.name)}</code> in ${escaped(p.in)}${p.required ? ', required' : ''}</li>`,
    )
    .join('')
  const answers = Object.entries(operation.responses ?? {})
    .map(([status, answer]) => {
      const title = `${status} ${answer.description ?? ''}`
      return `<li>${answer.content ? schemaBlock(title, answer.content) : escaped(title)}</li>`
    })
    .join('')
  return `<section>
<h2><span class="method">${method.toUpperCase()}</span> ${escaped(path)}</h2>
<p><strong>${escaped(operation.summary ?? '')}</strong></p>
<p>${escaped(operation.description ?? '')}</p>
${security ? `<p>Needs: ${escaped(security)}</p>` : ''}
${parameters ? `<h3>Parameters</h3><ul>${parameters}</ul>` : ''}
${operation.requestBody ? `<h3>Body</h3>${schemaBlock('Schema', operation.requestBody.content)}` : ''}
<h3>Answers</h3><ul>${answers}</ul>
</section>`
}

/**
 * The OpenAPI document as a page to read. Everything in it is escaped; it holds no script and no inline style. By hand:
 * @fastify/swagger-ui would run 1.9 MB of script on the origin that holds the members' tokens (and install 15 MB).
 */
export function docsPage(document: Exclude<ReturnType<FastifyInstance['swagger']>, string>): string {
  const sections = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(
      // The document is the plugin's own, of operations only.
      ([method, operation]) => operationSection(method, path, operation as Operation),
    ),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(document.info.title)}</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<main>
<h1>${escaped(document.info.title)}</h1>
<p>${escaped(document.info.description ?? '')}</p>
<p><a href="/api/docs/json">OpenAPI document</a></p>
${sections.join('\n')}
</main>
</body>
</html>
`
}

export const docsStyle = `body { margin: 0; background: #fbf8f3; color: #2a1a1a; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
section { border-top: 1px solid #d9cbb8; padding: 1rem 0 }
h2 { font: 600 1.1rem/1.4 ui-monospace, monospace; margin: 0 }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
.method { color: #8a1020 }
pre { background: #f1e9dc; padding: .75rem; overflow-x: auto; font-size: .85rem }
summary { cursor: pointer; min-height: 24px }
ul { padding-left: 1.25rem }
`
