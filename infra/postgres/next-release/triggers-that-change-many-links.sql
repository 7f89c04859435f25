-- contract: unused since 0014
-- With their triggers.
DROP FUNCTION add_mass_change, add_change_of_channel_tag, add_change_of_routing_settings, check_channel_tag,
  add_events_of_renamed_label CASCADE;
