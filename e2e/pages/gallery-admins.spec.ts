import { checkGallery } from './support/check-gallery.ts'

checkGallery(/^admin-/)
