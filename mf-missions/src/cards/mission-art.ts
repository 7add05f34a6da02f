import m1 from '@anniversary/shared/campaign/art/missions/1.svg'
import m2 from '@anniversary/shared/campaign/art/missions/2.svg'
import m3 from '@anniversary/shared/campaign/art/missions/3.svg'
import m4 from '@anniversary/shared/campaign/art/missions/4.svg'
import m5 from '@anniversary/shared/campaign/art/missions/5.svg'
import m6 from '@anniversary/shared/campaign/art/missions/6.svg'
import { MISSIONS } from '@anniversary/shared/contract/missions'

/**
 * An unknown mission has the picture of its place (specification, section 2:
 * index 0-5).
 */
const missionArt: readonly string[] = [m1, m2, m3, m4, m5, m6]

export function missionArtOf(id: string, index: number): string | undefined {
  const known = MISSIONS.findIndex(({ code }) => code === id)
  if (known === -1) return missionArt[index]
  return missionArt[known]
}
