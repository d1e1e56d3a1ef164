import type { OwedFinding } from './judge-owed.ts'

export type Language = 'en' | 'id'
type Words = Record<OwedFinding['code'], string>

/** What each finding means to a holder. */
export const OWED_WORDS: Record<Language, Words> = {
  en: {
    IN_LIST: 'You are in the list, with this amount, and the published sum includes it.',
    NOTHING_OWED: 'Nothing was owed to you at the end of that day.',
    AS_SHOWN: 'The amount is the one that your pages showed.',
    HELD_COVERS: 'The vault holds at least the published sum.',
    UNREADABLE: 'The file is damaged: a part of it cannot be read.',
    OTHER_DAY: 'The file and the published root are of different days.',
    NOT_IN_TREE:
      'You are NOT in the list with this amount: your place does not lead to the published root. Keep the file: it is your evidence.',
    SUM_DIFFERS:
      'The published sum is not the sum of the list: some of what is owed was left out. Keep the file: it is your evidence.',
    LEFT_OUT: 'Your pages show that you are owed something, but the list leaves you out.',
    SHOWN_DIFFERS: 'Your pages showed another amount than the list has for you.',
    HELD_IS_LESS: 'The vault holds LESS than the published sum.',
  },
  id: {
    IN_LIST:
      'Anda ada dalam daftar dengan jumlah ini, dan jumlah total yang diumumkan mencakupnya.',
    NOTHING_OWED: 'Tidak ada yang terutang kepada Anda pada akhir hari itu.',
    AS_SHOWN: 'Jumlahnya sama dengan yang ditampilkan halaman Anda.',
    HELD_COVERS: 'Vault menyimpan setidaknya jumlah total yang diumumkan.',
    UNREADABLE: 'Berkas rusak: sebagian isinya tidak dapat dibaca.',
    OTHER_DAY: 'Berkas dan akar yang diumumkan berasal dari hari yang berbeda.',
    NOT_IN_TREE:
      'Anda TIDAK ada dalam daftar dengan jumlah ini: tempat Anda tidak menuju akar yang diumumkan. Simpan berkas ini: itu bukti Anda.',
    SUM_DIFFERS:
      'Jumlah yang diumumkan bukan jumlah daftar: sebagian utang dihilangkan. Simpan berkas ini: itu bukti Anda.',
    LEFT_OUT:
      'Halaman Anda menunjukkan ada yang terutang kepada Anda, tetapi daftar tidak memuat Anda.',
    SHOWN_DIFFERS: 'Halaman Anda menampilkan jumlah lain daripada daftar.',
    HELD_IS_LESS: 'Vault menyimpan KURANG dari jumlah yang diumumkan.',
  },
}
