import { LIMITS, type Limits } from './lane.ts'

export class EarlyCalls<Call extends { readonly since: number }> {
  readonly #limits: Limits
  readonly #waiting: Call[] = []
  #left: number

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits
    this.#left = limits.earlyRefusals
  }

  /** @returns false when the call is to be refused at once */
  enter(call: Call): boolean {
    if (this.#left-- > 0) return false
    this.#waiting.push(call)
    return true
  }

  /** Returns what is to be refused now. Call it some times a second. */
  sample(isStopping: boolean): Call[] {
    const due = this.#waiting.splice(0, this.#countDue(isStopping))
    this.#left = this.#limits.earlyRefusals - due.length
    return due
  }

  #countDue(isStopping: boolean): number {
    const { earlyRefusals, deadlineSeconds } = this.#limits
    const overdue = performance.now() - deadlineSeconds * 1000
    const firstToWait = this.#waiting.findIndex(
      ({ since }, index) => index >= earlyRefusals && since > overdue,
    )
    if (isStopping || firstToWait < 0) return this.#waiting.length
    return firstToWait
  }
}
