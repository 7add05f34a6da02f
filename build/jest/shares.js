/** Seconds of a whole run on two cores. */
const USUAL = 200
const SHOWN = 15

export default class Shares {
  /**
   * @param {unknown} _contexts
   * @param {{ startTime: number, testResults: { testFilePath: string, perfStats: { runtime: number } }[] }} results
   */
  onRunComplete(_contexts, { startTime, testResults }) {
    const seconds = (Date.now() - startTime) / 1000
    if (seconds < Number(process.env.JEST_USUAL_SECONDS ?? USUAL)) return

    const times = testResults.map(({ testFilePath, perfStats }) => ({
      file: testFilePath.slice(process.cwd().length + 1),
      ms: perfStats.runtime,
    }))
    const all = times.reduce((sum, { ms }) => sum + ms, 0)
    console.log(`\n${seconds.toFixed(0)} s, usually below ${USUAL}. Largest shares:`)
    for (const { file, ms } of times.sort((a, b) => b.ms - a.ms).slice(0, SHOWN))
      console.log(`${((ms / all) * 100).toFixed(1).padStart(5)} %  ${file}`)
  }
}
