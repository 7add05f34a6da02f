import { envelope, missionData } from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { inSession, memberCall } from '../login/session.ts'
import { sendJson } from '../server/answers.ts'
import type { Context } from '../server/context.ts'
import { responses } from '../server/responses.ts'
import { listMissions } from './mission-list.ts'
import { openStage, shownStage } from './stages.ts'

export async function missionRoutes(instance: FastifyInstance, { database, clock }: Context): Promise<void> {
  instance.withTypeProvider<ZodTypeProvider>().get(
    '/info',
    {
      schema: {
        ...memberCall,
        summary: 'The missions of the stage',
        description: 'claimed: 0 not reached, 1 claimed, 2 claimable, 3 needs a check.',
        response: responses(envelope(z.array(missionData)), 401, 403),
      },
    },
    async (request, reply) => {
      const now = clock.now()
      const stage = shownStage(now)
      const isOpen = openStage(now) === stage
      const { data } = await inSession(request, database, (session) =>
        listMissions(database, session, stage.number, isOpen),
      )
      return sendJson(reply, data)
    },
  )
}
