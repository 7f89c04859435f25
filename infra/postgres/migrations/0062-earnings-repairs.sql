-- Until when no other run reads the file, unless the one that reads it ends. `attempts`: how many ended without saying so.
ALTER TABLE earnings_imports ADD reader_until timestamptz;
