import type { Translation } from '../../shared/i18n/texts.ts'
import type { logTexts } from './admin-log.texts.ts'

export const logIndonesian = {
  title: 'Tindakan admin',
  lead: 'Log ini hanya bertambah: tidak ada yang dapat diubah atau dihapus.',
  empty: 'Tidak ada catatan.',
  listFailed: 'Log tidak dapat dimuat.',
  search: 'Cari menurut sasaran tindakan',
  admin: 'Alamat Tron admin',
  action: 'Tindakan',
  allActions: 'Semua',
  at: 'Kapan',
  who: 'Siapa',
  what: 'Apa',
  subject: 'Sasaran',
  change: 'Lama dan baru',
  before: 'Lama',
  after: 'Baru',
  from: 'Dari',
  unknownPlace: 'Tidak diketahui',
  nothing: 'Tanpa nilai',
} satisfies Translation<typeof logTexts>
