/**
 * The privacy notice that is in force until the operator publishes another, in both languages. If a word changes,
 * `PRIVACY_VERSION` must get a new value.
 */
export const DEFAULT_PRIVACY = {
  id: `# Apa yang disimpan, mengapa, dan berapa lama

## Pembukuan

Alamat dompet Anda dan dari siapa Anda dirujuk; kuncian, imbalan, klaim, biaya, dan pembayaran. Ini adalah pembukuan: menunjukkan apa yang menjadi hak Anda. Sebagian besar juga tercatat untuk umum di Tron dan BSC. Disimpan seterusnya.

## Persetujuan

Versi ketentuan yang Anda setujui, bahasanya, dan waktunya, sebagai bukti perjanjian. Disimpan bersama pembukuan.

## Alamat e-mail

Untuk bantuan, dan untuk pesan yang Anda pilih. Sampai Anda menghapusnya atau menutup akun.

## Telegram dan notifikasi browser

Percakapan dan langganan yang Anda hubungkan, hanya untuk pesan yang Anda pilih. Sampai Anda menghapusnya atau menutup akun.

## Sesi dan perangkat

Nama browser, bagian jaringan dari alamat internet, dan waktu setiap sesi, agar Anda melihat di mana Anda masuk. Sampai sesi berakhir. Dari perangkat yang sudah dikenal hanya disimpan sidik yang tidak dapat dibaca kembali, agar perangkat baru dapat diberitahukan kepada Anda. Sampai Anda menutup akun.

# Siapa yang melihatnya

## Layanan ini

Administrator melihat alamat dompet, alamat e-mail, dan pembukuan untuk menjalankan layanan dan membantu Anda.

## Pihak lain

Tidak ada yang dijual. Halaman ini tidak memakai analitik atau skrip pihak ketiga. Pesan yang Anda pilih dikirim melalui penyedia e-mail, Telegram, atau pembuat browser Anda. Transaksi blockchain terlihat oleh siapa saja.

## Di browser Anda

Sesi, bahasa, tema, kode klaim Anda, dan transaksi yang sedang berjalan, agar tidak ada yang hilang saat halaman dimuat ulang atau saat cadangan layanan dipulihkan. Tidak ada cookie pelacak.

# Hak Anda

## Melihat dan menyimpan

Halaman "Data Anda" memuat semua yang disimpan tentang Anda sebagai satu berkas.

## Menghapus

Anda dapat menghapus e-mail, saluran, dan sesi kapan saja, dan menutup akun setelah paket Anda berakhir. Pembukuan tetap menyimpan alamat dompet dan jumlah. Cadangan menyimpan data yang dihapus sampai cadangan itu sendiri dihapus.

## Bertanya

Tulis ke {{support_email}}.
`,
  en: `# What is stored, why, and how long

## The books

Your wallet address and who referred you; locks, rewards, claims, fees and payments. These are the books: they show what you are owed. Most of it is also public on Tron and BSC. Kept for good.

## Consents

Which version of the terms you accepted, in which language and when, as proof of the agreement. Kept with the books.

## E-mail address

For support, and for messages that you choose. Until you remove it or close the account.

## Telegram and browser notifications

The chat and the subscriptions that you connect, only for messages that you choose. Until you remove them or close the account.

## Sessions and devices

Browser name, the network part of the internet address and the times of each session, to show you where you are logged in. Until the session ends. Of known devices only a fingerprint that cannot be read back is stored, so that you can be told of a new one. Until you close the account.

# Who sees it

## This service

Admins see wallet address, e-mail address and the books, to run the service and to help you.

## Others

Nothing is sold. These pages use no analytics and no third-party scripts. Messages that you choose are sent through an e-mail provider, Telegram or the maker of your browser. Transactions on blockchains can be seen by anybody.

## In your browser

The session, language, theme, codes of your claims and transactions in progress, so that nothing is lost on a reload or when a backup of the service is restored. There are no tracking cookies.

# Your rights

## See and save

The page "Your data" has everything stored about you as one file.

## Remove

You can remove e-mail, channels and sessions at any time, and close the account once your plans have ended. The books keep wallet address and amounts. Backups keep removed data until they are removed themselves.

## Ask

Write to {{support_email}}.
`,
} as const
