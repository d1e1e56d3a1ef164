import type { Translation } from '../i18n/texts.ts'
import type { txTexts } from './tx.texts.ts'

export const txIndonesian: Translation<typeof txTexts> = {
  confirmInWallet: 'Silakan konfirmasi di {wallet}.',
  log: 'Catatan transaksi',
  steps: 'Langkah',
  stepWaiting: 'belum',
  stepActive: 'sedang berjalan',
  stepDone: 'selesai',
  stepSkipped: 'tidak diperlukan',
  stepFailed: 'gagal',
  stillChecking:
    'Ini lebih lama dari biasanya. Tidak ada yang hilang: blockchain yang menentukan, dan masih terus diperiksa. Anda boleh menutup ini.',
  stillSigning:
    'Dompet belum menjawab. Belum ada yang dikirim. Anda masih dapat mengonfirmasi di sana, atau menutup ini.',
  stillWorking: 'Layanan belum menjawab. Anda boleh menutup ini.',
  close: 'Tutup',
  transaction: 'Transaksi:',
  noTrx: 'Ini memerlukan sekitar {needed} TRX untuk energi, sedangkan dompet berisi {balance} TRX.',
  logCost: 'Sekitar {energy} energi: {trx} TRX.',
  logConfirm: 'Konfirmasi di dompet Anda.',
  logSent: 'Terkirim: {hash}',
  logIncluded: 'Blockchain sudah memasukkannya.',
  reverted: 'Transaksi gagal di blockchain: {reason}',
  expired:
    'Blockchain tidak pernah memasukkan transaksi ini, dan waktunya habis. Tidak ada yang dipindahkan.',
}
