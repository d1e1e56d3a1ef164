/** One point of the terms, in the language of the terms and, beside it, in English. */
export type Term = { heading: { id: string; en: string }; text: { id: string; en: string } }

/** The terms that are shown at registration. `supportEmail` comes from the installation's settings. */
export function termsOf(supportEmail: string): Term[] {
  return [
    {
      heading: { id: 'Paket dan imbalan', en: 'Plans and rewards' },
      text: {
        id: 'Paket berjalan selama 360 siklus dengan imbalan 0,2% dari jumlah yang dikunci per siklus, atau 720 siklus dengan imbalan 0,3% dari jumlah yang dikunci per siklus. Satu siklus adalah satu hari kerja sistem (UTC+7).',
        en: 'Plans run 360 cycles at 0.2% of the locked amount per cycle, or 720 cycles at 0.3% of the locked amount per cycle. A cycle is one day of the system (UTC+7).',
      },
    },
    {
      heading: { id: 'Biaya klaim', en: 'Claim fee' },
      text: {
        id: 'Biaya klaim adalah 40% dari imbalan yang diklaim, dibayar dalam USDT di jaringan BSC (BEP20). Di luar itu ada biaya energi tersendiri.',
        en: 'The claim fee is 40% of the claimed reward, payable in USDT on the BSC (BEP20) network. A separate energy fee comes on top.',
      },
    },
    {
      heading: { id: 'Batas waktu klaim', en: 'When to claim' },
      text: {
        id: 'Klaim wajib dilakukan paling lambat setiap 30 siklus. Jika tidak, akun dibekukan dan siklus berikutnya dapat hangus sampai klaim dilakukan.',
        en: 'A claim must be made at least every 30 cycles, or the account is frozen and later cycles can lapse until a claim is made.',
      },
    },
    {
      heading: { id: 'Cara klaim 1: FULL', en: 'Claim method 1: FULL' },
      text: {
        id: 'Biaya dibayar lebih dahulu, lalu 100% imbalan diterima.',
        en: 'The fee is paid first, then 100% of the reward is received.',
      },
    },
    {
      heading: { id: 'Cara klaim 2: HALF', en: 'Claim method 2: HALF' },
      text: {
        id: '50% imbalan diklaim tanpa membayar lebih dahulu, dan biaya dibayar untuk menerima 50% lainnya. Biaya tetap dihitung dari seluruh jumlah yang diklaim.',
        en: '50% of the reward is claimed free, and the fee is paid to receive the other 50%. The fee is still worked out from the whole claimed amount.',
      },
    },
    {
      heading: { id: 'Batas pool awal', en: 'Initial pool' },
      text: {
        id: 'Batas pool awal adalah 20.000 DCT.',
        en: 'The initial pool limit is 20,000 DCT.',
      },
    },
    {
      heading: { id: 'Pengembalian token', en: 'Return of your tokens' },
      text: {
        id: 'Token yang dikunci kembali secara otomatis setelah masa kunci berakhir, hanya ke dompet yang menguncinya. Tombol "Claim Capital" memintanya lebih cepat.',
        en: 'Locked tokens return automatically after the lock period, only ever to the wallet that locked them. The button "Claim Capital" asks for it sooner.',
      },
    },
    {
      heading: { id: 'Pengiriman imbalan', en: 'Sending of rewards' },
      text: {
        id: 'Imbalan dikirim dalam waktu 1x24 jam setelah biaya dibayar.',
        en: 'Rewards are sent within 1x24 hours after the fee was paid.',
      },
    },
    {
      heading: { id: 'Bantuan', en: 'Support' },
      text: {
        id: `Bantuan diberikan melalui e-mail: ${supportEmail}`,
        en: `Support is given by e-mail: ${supportEmail}`,
      },
    },
  ]
}
