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
    AS_STATED: 'The vault’s contract states the same root and sum for that day.',
    CORRECTED:
      'The list of that day was published more than once: the earlier roots stand in the vault’s events (OwedPublished).',
    UNREADABLE: 'The file is damaged: a part of it cannot be read.',
    OTHER_DAY: 'The file and the published root are of different days.',
    NOT_IN_TREE:
      'You are NOT in the list with this amount: your place does not lead to the published root. Keep the file: it is your evidence.',
    SUM_DIFFERS:
      'The published sum is not the sum of the list: some of what is owed was left out. Keep the file: it is your evidence.',
    LEFT_OUT: 'Your pages show that you are owed something, but the list leaves you out.',
    SHOWN_DIFFERS: 'Your pages showed another amount than the list has for you.',
    HELD_IS_LESS: 'The vault holds LESS than the published sum.',
    NOT_STATED:
      'The vault’s contract states NOTHING for that day. Shortly after the list was made this is no wonder; later it is.',
    STATED_DIFFERS:
      'The vault’s contract states ANOTHER root or sum for that day. Keep the file: it is your evidence.',
  },
  id: {
    IN_LIST:
      'Anda ada dalam daftar dengan jumlah ini, dan jumlah total yang diumumkan mencakupnya.',
    NOTHING_OWED: 'Tidak ada yang terutang kepada Anda pada akhir hari itu.',
    AS_SHOWN: 'Jumlahnya sama dengan yang ditampilkan halaman Anda.',
    HELD_COVERS: 'Vault menyimpan setidaknya jumlah total yang diumumkan.',
    AS_STATED: 'Kontrak vault menyatakan akar dan jumlah yang sama untuk hari itu.',
    CORRECTED:
      'Daftar hari itu diumumkan lebih dari sekali: akar sebelumnya ada di event vault (OwedPublished).',
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
    NOT_STATED:
      'Kontrak vault TIDAK menyatakan apa pun untuk hari itu. Sesaat setelah daftar dibuat, itu wajar; kemudian tidak.',
    STATED_DIFFERS:
      'Kontrak vault menyatakan akar atau jumlah LAIN untuk hari itu. Simpan berkas ini: itu bukti Anda.',
  },
}

/** What would be seen if the operator lied about the list; who lies about several things is seen in each. */
export const IF_THEY_LIED = [
  'a list without you: your file has no place, or its place does not lead to the root',
  'less than your pages showed: the amount in your file differs from it',
  'a sum that is too small: it is not the sum that your place leads to',
  'another list for others, or a later one: the vault’s contract states another root than your file',
  'a vault that cannot pay: it holds less than the sum',
]
