import { addressBody } from '@anniversary/shared/contract/wire'
import { rowOf } from '../database/database.ts'
import { inSessionTurn, ME } from '../login/session.ts'
import { successAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

const saveAddress = rowOf<
  object,
  [session: Buffer, fullname: string, phoneNumber: string, address: string, note: string]
>(
  `WITH ${ME}
   INSERT INTO member_address (member_id, fullname, phone_number, address, note)
   SELECT member_id, $2, $3, $4, $5 FROM me
   ON CONFLICT (member_id) DO UPDATE SET fullname = excluded.fullname,
     phone_number = excluded.phone_number,
     address = excluded.address, note = excluded.note
   RETURNING member_id`,
)

export function addressRoutes(app: App, context: Context): void {
  app.post('/update-info', { schema: { body: addressBody } }, async (request, reply) => {
    const { fullname, phone_number, address, note } = request.body
    await inSessionTurn(context, request, reply, (session) =>
      saveAddress(context.database, session, fullname, phone_number, address, note),
    )
    return successAnswer(true)
  })
}
