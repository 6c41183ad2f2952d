/** Where photos from elsewhere are chosen and brought. */
export const bringPath = "/settings/data/bring";
