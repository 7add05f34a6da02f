import { type Database, namedStatement, rowOf } from '../database/database.ts'
import { DESK_LOOK, recordChange } from '../operator/audit.ts'
import { readMember } from '../operator/member-facts.ts'

const readPerson = rowOf<{ fullname: string; phone: string }, [memberId: string, isShown: boolean]>(
  `SELECT CASE WHEN $2 THEN fullname
     ELSE regexp_replace(fullname, '(\\S)\\S*', '\\1***', 'g') END AS fullname,
     CASE WHEN $2 THEN phone_number
       ELSE '***' || right(phone_number, least(3, char_length(phone_number) / 2)) END AS phone
   FROM member_address WHERE member_id = $1`,
)

const readOnly = namedStatement('SET TRANSACTION READ ONLY')

export type DeskFacts = NonNullable<Awaited<ReturnType<typeof readFacts>>>

const readFacts = (database: Database, asked: string, isShown: boolean) =>
  database.transaction(async (tx) => {
    await tx.query(readOnly)
    const found = await readMember(tx, asked)
    if (!found) return null
    return { ...found, isShown, person: await readPerson(tx, found.member.id, isShown) }
  })

export async function lookUpMember(
  database: Database,
  { asked, isShown, who }: { asked: string; isShown: boolean; who: string },
): Promise<DeskFacts | null> {
  const facts = await readFacts(database, asked, isShown)
  // What was typed in vain may be personal, so it is not noted.
  const memberId = facts?.member.id
  const detail = { found: facts !== null, shown: isShown }
  await recordChange(database, { ...(memberId && { memberId }), detail }, { who, what: DESK_LOOK })
  return facts
}
