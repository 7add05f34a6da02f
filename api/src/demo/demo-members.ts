import demo from '@anniversary/shared/campaign/demo.json' with { type: 'json' }
import type { ActivityEvent } from '../backoffice/contract.ts'

export const { members: demoMembers, claims: demoClaims } = demo

export const demoActivity = demoMembers.flatMap(({ account, activity }) =>
  activity.map(([day, kind, amount], i) => ({
    source: 'demo',
    ref: `${account}-${i + 1}`,
    username: account,
    kind,
    amount,
    occurred_at: `${day}T${String(9 + (i % 12)).padStart(2, '0')}:15:00+07:00`,
  })),
) as readonly ActivityEvent[] // JSON has no tuples
