import { EXAMPLES } from './pages.ts'
import { serveExamples } from './serve.ts'

/**
 * `npm run examples`: serves every example until Ctrl-C, once mf-megalive is built. `PORT=0` takes free ports.
 * Run by tsx/esm, as build/index.js says.
 */
const print = (text: string) => process.stdout.write(`${text}\n`)
const first = Number(process.env.PORT ?? 4100)
const port = (offset: number) => (first === 0 ? 0 : first + offset)

const examples = await serveExamples({ pages: port(0), site: port(1), live: port(2) }).catch(
  (error: Error) => {
    print(error.message)
    process.exit(1)
  },
)
print(`\nPublished site ${examples.site}, embedded page ${examples.live}`)
print(`Examples on ${examples.pages}`)
for (const { path, name } of EXAMPLES) print(`  ${examples.pages}/${path}/  ${name}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await examples.close()
    process.exit(0)
  })
}
