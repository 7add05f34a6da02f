import { claimDeadline } from '../contract/event-time.ts'
import type { Win } from '../contract/host.ts'

const texts = {
  support: (day: string) =>
    `Hãy liên hệ bộ phận chăm sóc khách hàng để nhận giải, đến hết ngày ${day}.`,
  exchange: (day: string) => `Hãy đổi gift code trong lịch sử nhận vé, đến hết ngày ${day}.`,
}

export function claimAdvice(wins: readonly Win[], now: Date): string {
  const support = claimDeadline(
    wins.filter(({ isGiftcode }) => !isGiftcode),
    now,
  )
  const exchange = claimDeadline(
    wins.filter(({ isGiftcode }) => isGiftcode),
    now,
  )
  return [support && texts.support(support), exchange && texts.exchange(exchange)]
    .filter(Boolean)
    .join(' ')
}
