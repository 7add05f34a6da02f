import p1 from '../../campaign/art/prizes/1.svg'
import p2 from '../../campaign/art/prizes/2.svg'
import p3 from '../../campaign/art/prizes/3.svg'
import p4 from '../../campaign/art/prizes/4.svg'
import p5 from '../../campaign/art/prizes/5.svg'
import p6 from '../../campaign/art/prizes/6.svg'
import { PRIZES } from '../contract/prizes.ts'

const PICTURES: readonly string[] = [p1, p2, p3, p4, p5, p6]

/** Undefined for a prize that is not in the campaign's list. */
export const prizePicture = (prize: string): string | undefined =>
  PICTURES[PRIZES.findIndex(({ name }) => name === prize)]
