import { applyCorrection } from '../src/operator/apply-correction.ts'
import { freezeDrawList } from '../src/operator/draw-commands.ts'
import type { TestApi } from './test-api.ts'

/** Rules for results of draws without a frozen list. */
export const NO_LIST = { listOf: null, again: false }

export const freezeList = (
  { database, config, now }: Pick<TestApi, 'database' | 'config' | 'now'>,
  draw: number,
  again = false,
) =>
  applyCorrection(database, (tx) => freezeDrawList(tx, { site: config.site, draw, again, now }), {
    who: 'an',
    what: 'freeze',
  })
