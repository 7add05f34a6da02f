import { STAGES } from '@anniversary/shared/contract/event'
import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { type Content, type Html, html } from '@anniversary/shared/html-template'
import { REFUSALS } from '../claim/take-tickets.ts'
import type { LoginFailure } from '../login/login-guard.ts'
import { findOpenStage, findShownStage } from '../missions/stages.ts'
import type { AuditRow } from '../operator/audit.ts'
import type { MissionFacts, TicketFacts } from '../operator/member-facts.ts'
import type { DeskFacts } from './look-up.ts'
import { DESK_STYLE } from './style.ts'
import { deskTexts as texts } from './texts.ts'

const number = (value: number): string => value.toLocaleString('vi-VN')

const timed = (fact: string, time: string | null): string[] =>
  time === null ? [] : [`${fact} ${formatEventTime(time)}`]

function seenText({ claimedAt, reachedAt, kind }: MissionFacts, isOpen: boolean): string {
  if (claimedAt !== null) return texts.seen.claimed
  if (!isOpen) return texts.seen.notReached
  if (reachedAt !== null || kind === 'share') return texts.seen.claim
  return kind === 'streak' ? texts.seen.check : texts.seen.notReached
}

function progressText(mission: MissionFacts): string {
  const { claimedAt, reachedAt, reachedBy, kind, goal, have } = mission
  if (mission.needsReview) return texts.review
  if (claimedAt !== null) return formatEventTime(claimedAt)
  if (reachedAt !== null) return texts.enough
  const lack = (goal ?? 0) - (have ?? 0)
  const text = lack > 0 ? texts.lacks(number(lack), texts.units[kind]) : texts.proof
  if (reachedBy === null) return text
  return `${text}; ${mission.isUndone ? texts.undone : texts.takenBack}`
}

function prizeFacts(ticket: TicketFacts, now: Date): string[] {
  const { draw, prize, isGiftcode, tradedAt, deliveredAt, until } = ticket
  if (draw === null) return []
  const isLapsed = until !== null && now > new Date(until)
  const handedOver = [...timed(texts.traded, tradedAt), ...timed(texts.delivered, deliveredAt)]
  const kind = isGiftcode ? texts.exchange : texts.handOver
  const waiting = `${kind}, ${isLapsed ? texts.lapsed : texts.open}`
  const [state] = [...handedOver, ...timed(waiting, until)]
  return [`${texts.won(prize ?? '', draw)}, ${state}`]
}

const ticketFacts = (ticket: TicketFacts, now: Date): string[] => [
  `${ticket.mission}, ${timed(texts.claimed, ticket.claimedAt)}`,
  ...timed(texts.voided, ticket.voidedAt),
  ...prizeFacts(ticket, now),
  ...ticket.lists.map(({ draw, position }) => texts.place(number(position), draw)),
  ...ticket.leftOut.map(({ draw, reason }) =>
    texts.leftOut(draw, texts.reasons[reason] ?? texts.wonBefore),
  ),
]

const line = (about: string, ...facts: string[]): Html =>
  html`<li><b>${about}</b> ${facts.join('; ')}</li>`

const section = (title: string, lines: readonly Content[]): Html =>
  html`<h3>${title}</h3><ul>${lines.length > 0 ? lines : html`<li>${texts.none}</li>`}</ul>`

function personLines({ person, isShown }: DeskFacts, asked: string): Content[] {
  if (!person) return []
  return [
    line(person.fullname, person.phone),
    !isShown &&
      html`<li><form method="post"><input type="hidden" name="asked" value="${asked}">
<button name="show" value="1">${texts.show}</button></form></li>`,
  ]
}

function failureLine({ attempts, isKnownDevice, lockedUntil }: LoginFailure): Html {
  const failures = texts.failures(attempts, isKnownDevice)
  const [lock] = timed(texts.locked, lockedUntil)
  return lock ? line(lock, failures) : line(failures)
}

/** Shows only a part of the detail, which may hold a gift code. */
function changeFacts(
  { who, what, subject, why, detail }: AuditRow,
  nameOf: (mission: string) => string,
): string[] {
  const { mission, stage, draw, prize } = detail
  const facts = [who, `${what} ${subject}`]
  if (mission) facts.push(`${nameOf(String(mission))}, ${texts.stage(Number(stage))}`)
  if (prize) facts.push(texts.won(String(prize), Number(draw)))
  if (why !== null) facts.push(why)
  return facts
}

function memberPart(facts: DeskFacts, asked: string, now: Date): Html {
  const { member, code, missions } = facts
  const open = findOpenStage(now)
  const nameOf = (id: string) => missions.find(({ mission }) => mission === id)?.name ?? id
  const stages = STAGES.filter(({ number }) => number <= findShownStage(now).number)
  const tickets = facts.tickets.toSorted(
    (a, b) => Number(b.code === code) - Number(a.code === code),
  )

  return html`${code !== null && html`<p>${texts.asked(code)}</p>`}
<h2>${texts.account} ${member.account}</h2>
<p>${timed(texts.since, member.createdAt)}</p>
${timed(texts.banned, member.bannedAt).map((text) => html`<p class="alarm">${text}</p>`)}
${section(texts.person, personLines(facts, asked))}
${stages.map((stage) =>
  section(
    texts.stage(stage.number),
    missions
      .filter((row) => row.stage === stage.number)
      .map((row) => line(row.name, seenText(row, stage === open), progressText(row))),
  ),
)}
${section(
  texts.refusals,
  facts.refusals.map(({ stage, mission, reason, times, lastAt }) =>
    line(
      `${texts.stage(stage)}, ${nameOf(mission)}`,
      `${REFUSALS[reason][1]} (${texts.refusal(times, formatEventTime(lastAt))})`,
    ),
  ),
)}
${section(
  texts.tickets,
  tickets.map((ticket) => line(ticket.code, ...ticketFacts(ticket, now))),
)}
${section(texts.login(facts.sessions.length), facts.failures.map(failureLine))}
${section(
  texts.changes,
  facts.changes.map((change) => line(formatEventTime(change.at), ...changeFacts(change, nameOf))),
)}`
}

/** @param found undefined: nothing was asked; null: nobody was found */
export function renderDeskPage(
  asked: string,
  found: DeskFacts | null | undefined,
  now: Date,
): string {
  const answer = found ? memberPart(found, asked, now) : found === null && texts.nobody
  return deskFrame(html`<form method="post" role="search">
<label for="asked">${texts.field}</label>
<input id="asked" name="asked" value="${asked}" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false">
<button>${texts.search}</button></form>
<div role="status">${answer}</div>`)
}

export const deskFrame = (content: Content): string =>
  html`<!doctype html>
<html lang="vi"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${texts.title}</title><style>${DESK_STYLE}</style></head>
<body><main><h1>${texts.title}</h1>${content}</main></body></html>
`.markup
