import { STAGES } from '@anniversary/shared/contract/event'
import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { type Content, type Html, html } from '@anniversary/shared/html-template'
import { REFUSALS } from '../claim/take-tickets.ts'
import { openStage, shownStage } from '../missions/stages.ts'
import type { MissionFacts, TicketFacts } from '../operator/member-facts.ts'
import type { DeskFacts } from './look-up.ts'
import { DESK_STYLE } from './style.ts'
import { deskTexts as texts } from './texts.ts'

const number = (value: number): string => value.toLocaleString('vi-VN')

function seenText({ claimedAt, reachedAt, kind }: MissionFacts, isOpen: boolean): string {
  if (claimedAt !== null) return texts.seen.claimed
  if (!isOpen) return texts.seen.not
  if (reachedAt !== null || kind === 'share') return texts.seen.reached
  return kind === 'streak' ? texts.seen.check : texts.seen.not
}

function progressText({ claimedAt, reachedAt, reachedBy, needsReview, ...row }: MissionFacts) {
  if (needsReview) return texts.review
  if (claimedAt !== null) return formatEventTime(claimedAt)
  if (reachedAt !== null) return texts.enough
  const have = row.have ?? 0
  const lack = (row.goal ?? 0) - have
  const text = lack > 0 ? texts.lacks(number(lack), texts.units[row.kind]) : texts.proof
  return reachedBy === null ? text : `${text}; ${texts.takenBack}`
}

function prizeText({ draw, prize, tradedAt, deliveredAt, until }: TicketFacts, now: Date): string {
  const won = texts.won(prize ?? '', draw ?? 0)
  if (tradedAt !== null) return `${won}, ${texts.traded(formatEventTime(tradedAt))}`
  if (deliveredAt !== null) return `${won}, ${texts.delivered(formatEventTime(deliveredAt))}`
  const limit = until ?? ''
  const state = now > new Date(limit) ? texts.lapsed : texts.open
  return `${won}, ${state(formatEventTime(limit))}`
}

const reasonText = (reason: string): string => texts.reasons[reason] ?? texts.wonBefore

function ticketLine(ticket: TicketFacts, now: Date): Html {
  const { code, mission, claimedAt, voidedAt, draw, lists, leftOut } = ticket
  const facts = [
    `${mission}, ${texts.claimed(formatEventTime(claimedAt))}`,
    ...(voidedAt === null ? [] : [texts.voided(formatEventTime(voidedAt))]),
    ...(draw === null ? [] : [prizeText(ticket, now)]),
    ...lists.map((list) => texts.place(number(list.position), list.draw)),
    ...leftOut.map((list) => texts.leftOut(list.draw, reasonText(list.reason))),
  ]
  return html`<li><b>${code}</b> ${facts.join('; ')}</li>`
}

const stageTable = (
  stage: number,
  missions: readonly MissionFacts[],
  isOpen: boolean,
): Html => html`
<h3>${texts.stage(stage)}</h3>
<table><thead><tr>${texts.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${missions
  .filter((row) => row.stage === stage)
  .map(
    (row) =>
      html`<tr><th scope="row">${row.name}</th><td>${seenText(row, isOpen)}</td><td>${progressText(row)}</td></tr>`,
  )}</tbody></table>`

const listOr = (none: string, lines: readonly Html[]): Html =>
  lines.length > 0 ? html`<ul>${lines}</ul>` : html`<p>${none}</p>`

function personPart({ person, isShown }: DeskFacts, asked: string): Html {
  if (!person) return html`<p>${texts.noPerson}</p>`
  const line = html`<p>${person.fullname}, ${person.phone}</p>`
  if (isShown) return line
  return html`${line}<form method="post"><input type="hidden" name="asked" value="${asked}">
<button name="show" value="1">${texts.show}</button></form>`
}

function memberPart(facts: DeskFacts, asked: string, now: Date): Html {
  const { member, code, missions, tickets, refusals, sessions, failures, changes } = facts
  const nameOf = (id: string) => missions.find(({ mission }) => mission === id)?.name ?? id
  return html`<section>
${code !== null && html`<p>${texts.asked(code)}</p>`}
<h2>${texts.account} ${member.account}</h2>
<p>${texts.since(formatEventTime(member.createdAt))}</p>
${member.bannedAt !== null && html`<p class="alarm">${texts.banned(formatEventTime(member.bannedAt))}</p>`}
<h3>${texts.person}</h3>${personPart(facts, asked)}
${STAGES.filter(({ number }) => number <= shownStage(now).number).map(({ number }) =>
  stageTable(number, missions, openStage(now)?.number === number),
)}
<h3>${texts.refusals}</h3>
${listOr(
  texts.noRefusals,
  refusals.map(
    (one) =>
      html`<li><b>${texts.stage(one.stage)}, ${nameOf(one.mission)}</b> ${REFUSALS[one.reason][1]} (${texts.refusal(one.times, formatEventTime(one.lastAt))})</li>`,
  ),
)}
<h3>${texts.tickets}</h3>
${listOr(
  texts.noTickets,
  [...tickets]
    .sort((a, b) => Number(b.code === code) - Number(a.code === code))
    .map((ticket) => ticketLine(ticket, now)),
)}
<h3>${texts.login}</h3><p>${texts.sessions(sessions)}</p>
${failures.map(
  (one) =>
    html`<p>${texts.failures(one.attempts, one.isKnownDevice)} ${one.lockedUntil !== null && html`<b class="alarm">${texts.locked(formatEventTime(one.lockedUntil))}</b>`}</p>`,
)}
${changes.length > 0 && html`<h3>${texts.changes}</h3><ul>${changes.map((one) => html`<li>${formatEventTime(one.at)} ${one.who}: ${one.what} ${one.why}</li>`)}</ul>`}
</section>`
}

/** The page of the desk. @param found undefined: nothing was asked; null: nobody was found */
export function deskPage(asked: string, found: DeskFacts | null | undefined, now: Date): Html {
  const answer: Content = found
    ? memberPart(found, asked, now)
    : found === null && html`<p>${texts.none}</p>`
  return frame(html`<form method="post" role="search">
<label for="asked">${texts.field}</label>
<input id="asked" name="asked" value="${asked}" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false">
<button>${texts.search}</button></form>
<div role="status">${answer}</div>`)
}

export const deskProblem = (why: string): Html => frame(html`<p>${why}</p>`)

const frame = (content: Html): Html => html`<!doctype html>
<html lang="vi"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${texts.title}</title><style>${DESK_STYLE}</style></head>
<body><main><h1>${texts.title}</h1>${content}</main></body></html>
`
