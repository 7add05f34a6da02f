import { applyCorrection } from '../src/operator/apply-correction.ts'
import { freezeDraw } from '../src/operator/draw-commands.ts'
import type { TestApi } from './test-api.ts'

/** Rules for results of draws without a frozen list. */
export const NO_LIST = { listOf: null, again: false, lastDraw: 0 }

export const freezeList = (
  { database, config, now }: Pick<TestApi, 'database' | 'config' | 'now'>,
  draw: number,
) =>
  applyCorrection(database, (tx) => freezeDraw(tx, { site: config.site, draw, at: now() }), {
    who: 'an',
    what: 'freeze',
  })
