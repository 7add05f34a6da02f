import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { startTestApi } from '../../test/test-api.ts'
import { verify } from '../operator/verify.ts'
import { bankHashes, type Peppers, pepperFingerprint, sessionKey } from '../rules/credentials.ts'
import { ticketCode } from '../rules/ticket-code.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

const PEPPERS: Peppers = ['pepper-of-the-tests']
// Codes of that time name no shard: here, another member's.
const early = [ticketCode(1000), ticketCode(1001)] as const
const TOKEN = 'a token of that time'

/** A member with an address, a session and two tickets, as 0003 kept them. */
const OF_0003 = `
  INSERT INTO setting VALUES ('pepper', '${pepperFingerprint(PEPPERS[0])}');
  INSERT INTO mission VALUES ('NAP_300', 0, 'deposits', 1, 0), ('CUOC_5000', 1, 'bets', 1, 0);
  INSERT INTO member (account, account_key, bank_hash, address_required, created_at)
    VALUES ('an01', 'an01', '\\x${bankHashes(PEPPERS, 'an01', '1234').current.toString('hex', 8)}', true, now());
  INSERT INTO member_address VALUES (1, 'An', '0900', 'Huế', '', now());
  INSERT INTO session VALUES ('\\x${sessionKey(TOKEN).hash.toString('hex')}', 1, now(), now() + interval '1 day');
  INSERT INTO activity (source, ref, member_id, kind, amount, occurred_at, received_at)
    SELECT 's', kind, 1, kind, amount, '2025-08-11T12:00:00+07:00', now()
    FROM (VALUES ('deposit', 300), ('bet', 5000)) AS line (kind, amount);
  INSERT INTO stage_activity VALUES (1, 1, 300, 5000, 1);
  INSERT INTO member_mission (member_id, stage, mission, tickets, reached_by, reached_at, claimed_at)
    SELECT 1, 1, code, 1, 'activity', '2025-08-12T20:00:00+07:00', '2025-08-13T20:00:00+07:00' FROM mission;
  INSERT INTO stage_tickets VALUES (1, 1, 2);
  INSERT INTO ticket VALUES (1, 1, 1, 'NAP_300', '${early[0]}', '2025-08-13T20:00:00+07:00'),
    (1, 1, 2, 'CUOC_5000', '${early[1]}', '2025-08-13T20:00:00+07:00')`

test('0004 keeps everything but the sessions, and finds the codes that were given before it', async () => {
  const url = await newDatabaseUrl()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await runner({
    dbClient: client,
    dir: fileURLToPath(new URL('../../migrations', import.meta.url)),
    direction: 'up',
    count: 3,
    migrationsTable: 'schema_migration',
    log: () => undefined,
  })
  await client.query(OF_0003)
  await migrate(client)
  await client.end()

  const database = await openDatabase({ url }, (error) => console.error(error))
  const api = await startTestApi({ database, peppers: PEPPERS })
  expect(await verify(database, () => undefined)).toBe(true)
  expect((await api.claim(TOKEN, 'NAP_300')).status).toBe(401)
  const { sign, required_address } = (await api.login('an01')).body.data
  expect(required_address).toBe(false)
  expect((await api.claim(sign, 'NAP_300')).body.data).toEqual([early[0]])
  expect((await api.check('code', early[1])).body.data).toMatchObject({ valid: true, stage: 1 })
  await api.win(early[0])
  expect((await api.trade(sign)).body.data).toHaveLength(1)
  await api.close()
})
