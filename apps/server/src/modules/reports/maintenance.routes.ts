import { MessageReply } from '@dct/api-contract/common'
import {
  MaintenanceNoteBody,
  MaintenanceNoteParams,
  MaintenanceNotesReply,
} from '@dct/api-contract/status'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userOf } from '../../platform/http/http.ts'
import { readInstant } from '../../platform/http/lists.ts'
import {
  announceMaintenance,
  endMaintenance,
  type MaintenanceDeps,
  openNotes,
} from './maintenance.ts'

const config = { role: 'admin' } as const

/** The maintenance notes that admins publish on the status page. */
export const maintenanceRoutes: FastifyPluginAsyncTypebox<MaintenanceDeps> = async (app, deps) => {
  const list = { response: { 200: MaintenanceNotesReply } }
  app.get('/admin/maintenance-notes', { schema: list, config }, async () => ({
    notes: await openNotes(deps.db, deps.realClock.now()),
  }))

  const announce = { body: MaintenanceNoteBody, response: { 200: MessageReply } }
  app.post('/admin/maintenance-notes', { schema: announce, config }, async (request) => {
    const { text_id, text_en, starts_at, ends_at } = request.body
    await announceMaintenance(deps, {
      adminId: userOf(request).id,
      texts: { id: text_id.trim(), en: text_en.trim() },
      startsAt: readInstant(starts_at, 'starts_at'),
      endsAt: readInstant(ends_at, 'ends_at'),
    })
    return { message: SUCCESSES.MAINTENANCE_ANNOUNCED }
  })

  const end = { params: MaintenanceNoteParams, response: { 200: MessageReply } }
  app.delete('/admin/maintenance-notes/:id', { schema: end, config }, async (request) => {
    await endMaintenance(deps, {
      id: BigInt(request.params.id),
      adminId: userOf(request).id,
    })
    return { message: SUCCESSES.MAINTENANCE_ENDED }
  })
}
