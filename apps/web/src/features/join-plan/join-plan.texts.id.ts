import type { Translation } from '../../shared/i18n/texts.ts'
import type { joinTexts } from './join-plan.texts.ts'

export const joinIndonesian: Translation<typeof joinTexts> = {
  plan: 'Paket earning',
  choosePlan: 'Pilih paket',
  noPlans: 'Saat ini tidak ada paket yang dapat diikuti.',
  plansFailed: 'Daftar paket tidak dapat dimuat.',
  amount: 'Jumlah token (DCT)',
  amountHint: '{minimum} sampai {maximum} DCT',
  amountHintBalance: '{minimum} sampai {maximum} DCT; dompet Anda berisi {balance} DCT',
  dailyQuota: 'Sisa kuota harian',
  annualQuota: 'Sisa kuota tahunan',
  quotaHint: 'Kuota menghitung reward: stake Anda memakai sebesar seluruh reward-nya.',
  otherWallet:
    'Dompet Anda memakai {wallet}, tetapi Anda masuk sebagai {user}. Ganti dulu akun di dompet.',
  decimals: 'Paling banyak {decimals} angka desimal.',
  stepQuota: 'Periksa dan pesan kuota',
  stepApprove: 'Setujui tepat jumlah ini',
  stepLock: 'Kunci token',
  stepRecord: 'Catat keikutsertaan',
  logQuota: 'Memeriksa kuota.',
  logReserved: 'Kuota dipesan sampai {time}.',
  logApproved: 'Kontrak sudah boleh mengambil {amount} DCT: persetujuan tidak diperlukan.',
  logResumed: 'Melanjutkan setelah dimuat ulang: {hash}',
  logPickedUp: 'Dikirim dari perangkat atau jendela lain: {hash}',
  logFinality: 'Layanan sudah mencatatnya dan menunggu sampai rantai final.',
  joinedPlan: 'Anda mengikuti {plan}: {amount} DCT terkunci.',
  inProgress: 'Keikutsertaan {plan} dengan {amount} DCT sudah dikirim dan masih diperiksa.',
  inProgressLate:
    'Keikutsertaan {plan} dengan {amount} DCT sudah dikirim lebih dari 180 detik yang lalu dan masih diperiksa. Tidak ada yang hilang: rantai yang memutuskan.',
  lastProblem: 'Percobaan terakhir tidak berhasil: {problem}',
  calcTitle: 'Apa yang didapat dan apa biayanya',
  calcEnter: 'Pilih paket dan isi jumlah untuk melihatnya.',
  calcDaily: 'Reward per siklus (hari)',
  calcReward: 'Seluruh reward ({cycles} siklus)',
  calcCapital: '{amount} DCT Anda kembali pada',
  calcFees: 'Biaya semua {claims} klaim, paling banyak',
  calcFee: 'Biaya satu klaim {claimed} DCT, paling banyak',
  calcFeeWhy: '40 % dari klaim pada harga hari ini {price} USDT, dan {energy} USDT untuk energi',
  calcNet: 'Sisa setelah semua biaya, pada harga hari ini',
  calcValue: 'dari reward senilai {value} USDT',
  calcNoPrice:
    'Belum ada harga terbaru, jadi biaya dalam USDT belum dapat dihitung. Besarnya 40 % dari setiap klaim.',
  calcBreakEven:
    'Di bawah harga sekitar {price} USDT per DCT, klaim lebih mahal daripada hasilnya.',
  calcFreeze:
    'Klaim paling lambat setiap {cycles} siklus. Setelah itu earning dibekukan: {grace} siklus lagi masih dicatat, lalu setiap siklus berikutnya ({daily} DCT) hilang sampai Anda klaim.',
  calcRisks: 'Apa yang bisa terjadi',
  calcMethods:
    'Satu klaim {claimed} DCT. FULL: bayar biaya dulu, lalu terima semuanya. HALF: terima setengah langsung, sisanya setelah biaya yang sama.',
  calcAtOnce: 'Dikirim langsung',
  calcAfterFee: 'Dikirim setelah biaya',
  calcFeeShort: 'Biaya, paling banyak',
  calcNetDct: 'Sama dalam DCT',
  calcNever: 'Tanpa klaim sama sekali {credited} DCT dicatat dan {lost} DCT hilang.',
  calcRisksText:
    'Token terkunci sampai akhir: tidak ada yang dapat melepasnya lebih awal, termasuk kami. Harga DCT dapat turun; reward dan modal dibayar dalam DCT, sedangkan biaya dibayar dalam USDT di BSC (BEP20) dari dompet Anda sendiri. Aturan dijalankan oleh kontrak, dan kontrak bisa mengandung kesalahan.',
  calcLoss: 'Pada harga hari ini biayanya lebih besar daripada hasil reward.',
}
