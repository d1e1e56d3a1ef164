import { checkGallery } from '../support/check-gallery.ts'
import { test } from '../support/test.ts'

test.use({ productName: 'gallery' })
checkGallery(/^(?!admin-)/)
