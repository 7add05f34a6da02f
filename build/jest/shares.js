import { readFileSync, writeFileSync } from 'node:fs'

/** Seconds of a whole run on two cores. */
const USUAL = 200
const SHOWN = 15
/** Percent of a run. Of a file with a larger share, the usual one is in shares.json: JEST_SHARES=1 npm run jest. */
const SMALL = 1.5
const FEW_SECONDS = 5

const shares = new URL('shares.json', import.meta.url)

export default class Shares {
  /**
   * @param {unknown} _contexts
   * @param {{ startTime: number, testResults: { testFilePath: string, perfStats: { runtime: number } }[] }} results
   */
  onRunComplete(_contexts, { startTime, testResults }) {
    const seconds = (Date.now() - startTime) / 1000
    const all = testResults.reduce((sum, { perfStats }) => sum + perfStats.runtime, 0)
    const files = testResults
      .map(({ testFilePath, perfStats: { runtime } }) => ({
        file: testFilePath.slice(process.cwd().length + 1),
        runtime,
        percent: Number(((runtime / all) * 100).toFixed(1)),
      }))
      .sort((a, b) => b.runtime - a.runtime)
    if (process.env.JEST_SHARES) {
      const large = files.filter(({ percent }) => percent > SMALL)
      const kept = Object.fromEntries(large.map(({ file, percent }) => [file, percent]))
      writeFileSync(shares, `${JSON.stringify(kept, null, 2)}\n`)
    }

    /** @type {Record<string, number>} */
    const usual = JSON.parse(readFileSync(shares, 'utf8'))
    const grown = files.filter(
      ({ file, runtime, percent }) =>
        runtime > FEW_SECONDS * 1000 && percent > 2 * (usual[file] ?? SMALL),
    )
    // A run of some files has other shares.
    const isWhole = Object.keys(usual).every((name) => files.some(({ file }) => file === name))
    for (const { file, percent } of isWhole ? grown : [])
      console.log(`${percent} % of the time, usually ${usual[file] ?? `below ${SMALL}`}: ${file}`)

    if (seconds < Number(process.env.JEST_USUAL_SECONDS ?? USUAL)) return
    console.log(`\n${seconds.toFixed(0)} s, usually below ${USUAL}. Largest shares:`)
    for (const { file, percent } of files.slice(0, SHOWN))
      console.log(`${percent.toFixed(1).padStart(5)} %  ${file}`)
  }
}
